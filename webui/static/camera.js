// Sends a camera's pictures to the table at the pace that the table asks for, also from a hidden tab.
"use strict";
(() => {
  const main = document.querySelector("main [data-state]");
  const video = main.querySelector("video");
  const outlines = main.querySelector(".outlines");
  const others = main.querySelector(".others");
  const isHere = "here" in main.dataset;
  const SIZE = { width: { ideal: 2560 }, height: { ideal: 1440 }, frameRate: { ideal: 15 } };
  const LONGEST = 2560; // pixels
  const QUALITY = 0.85;
  const AGAIN = 2; // seconds between attempts
  const PATIENCE = 10; // seconds for a reply
  const UNREACHED = 20; // seconds until a phone should have opened the page
  const CHOSEN = "camera";
  const FAULTS = {
    NotAllowedError: "blocked",
    SecurityError: "blocked",
    NotFoundError: "missing",
    OverconstrainedError: "missing",
  };

  let state = main.dataset.state;
  let stream = null;
  let base = {}; // constraints of the stream
  let isHeld = false;
  let isSending = false;
  let isSingle = sessionStorage.getItem("single") !== null;
  let canvas = null;

  // timers that a hidden tab doesn't slow
  const timer = new Worker(document.currentScript.dataset.timer);
  const waiting = new Map();
  let timers = 0;
  timer.onmessage = ({ data: number }) => {
    waiting.get(number)?.();
    waiting.delete(number);
  };
  const pause = (seconds) =>
    new Promise((done) => {
      waiting.set((timers += 1), done);
      timer.postMessage([timers, seconds * 1000]);
    });

  const show = (next) => {
    state = main.dataset.state = next;
    for (const part of document.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(next);
    const isShown = stream !== null;
    video.hidden = !isShown;
    main.querySelector(".drawn").toggleAttribute("hidden", isShown);
    if (next !== "on") outlines.replaceChildren();
  };

  const ask = async (address, how = {}) => {
    const limit = new AbortController();
    let isOver = false;
    pause(PATIENCE).then(() => isOver || limit.abort());
    try {
      return await fetch(address, { cache: "no-store", signal: limit.signal, ...how });
    } finally {
      isOver = true;
    }
  };

  // the camera
  const open = async (device) => {
    close();
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
    base = { ...SIZE, ...which };
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: base });
    isHeld = false;
    video.srcObject = stream;
    await video.play();
    stayAwake();
  };

  const close = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = video.srcObject = null;
  };

  const openChosen = async () => {
    const chosen = localStorage.getItem(CHOSEN);
    if (chosen) {
      try {
        return await open(chosen);
      } catch (fault) {
        if (fault.name !== "OverconstrainedError" && fault.name !== "NotFoundError") throw fault;
        localStorage.removeItem(CHOSEN); // unplugged
      }
    }
    return open();
  };

  const reopen = async () => {
    while (isSending) {
      try {
        return await openChosen();
      } catch {
        await pause(AGAIN);
      }
    }
  };

  const stayAwake = () => {
    if (stream && document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };

  const light = (can, now, hold) => {
    const held = {};
    const manual = (name, values) => {
      if (!can[name]?.includes("manual") || !can[name].includes("continuous")) return;
      held[name] = hold ? "manual" : "continuous";
      for (const value of hold ? values : []) if (can[value] && now[value] !== undefined) held[value] = now[value];
    };
    manual("focusMode", ["focusDistance"]);
    manual("exposureMode", ["exposureTime", "iso"]);
    manual("whiteBalanceMode", ["colorTemperature"]);
    return held;
  };

  const hold = async (isWished) => {
    const track = stream?.getVideoTracks()[0];
    if (isWished === isHeld || !track?.getCapabilities) return;
    isHeld = isWished;
    const held = light(track.getCapabilities(), track.getSettings(), isWished);
    if (!Object.keys(held).length) return;
    try {
      await track.applyConstraints({ ...base, advanced: [held] });
    } catch {
      // this camera can't hold them
    }
  };

  const capture = async () => {
    const track = stream?.getVideoTracks()[0];
    if (!track || track.readyState === "ended") {
      await reopen();
      return null;
    }
    // a phone pauses the camera of a hidden page; its last picture is no longer the table
    if (track.muted) return null;
    const [wide, high] = [video.videoWidth, video.videoHeight];
    if (!wide || video.readyState < 2) return null;
    const scale = Math.min(1, LONGEST / Math.max(wide, high));
    const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
    if (canvas?.width !== width || canvas?.height !== height) {
      // on a computer the tab may be hidden, which delays other canvases
      if (isHere && window.OffscreenCanvas) canvas = new OffscreenCanvas(width, height);
      else canvas = Object.assign(document.createElement("canvas"), { width, height });
    }
    canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, width, height);
    const how = { type: "image/jpeg", quality: QUALITY };
    if (canvas.convertToBlob) return canvas.convertToBlob(how);
    return new Promise((done) => canvas.toBlob(done, how.type, how.quality));
  };

  const apply = (reply) => {
    show("on");
    main.querySelector("[data-lead]").textContent = reply.lead;
    main.querySelector("[data-more]").textContent = reply.more;
    outlines.innerHTML = reply.outlines;
    hold(reply.holds);
  };

  const send = async () => {
    if (isSending) return;
    isSending = true;
    while (isSending) {
      const began = performance.now();
      let after = AGAIN;
      try {
        const jpeg = await capture();
        if (jpeg) {
          const answer = await ask("/camera/frame", { method: "POST", body: jpeg, headers: { "Content-Type": "image/jpeg" } });
          if (answer.status === 403) {
            isSending = false;
            return await follow();
          }
          if (answer.ok) {
            const reply = await answer.json();
            apply(reply);
            after = reply.after;
          } else if (answer.status >= 500) show("lost");
        } else {
          after = 0.2;
        }
      } catch {
        show("lost");
      }
      await pause(Math.max(0, after - (performance.now() - began) / 1000));
    }
  };

  // this browser's right
  const follow = async () => {
    const before = state;
    let now = null;
    try {
      now = await (await ask("/camera/state")).json();
    } catch {
      await pause(AGAIN);
      return follow();
    }
    if (now.state === "on") {
      if (before.startsWith("plain")) return location.assign("/camera");
      return isSingle ? show("single") : send();
    }
    if (now.state === "asks") {
      show(before.startsWith("plain") ? "plain-asks" : "asks");
      await pause(AGAIN);
      return follow();
    }
    isSending = false;
    close();
    const wasIn = ["on", "lost", "asks"].includes(before);
    if (before.startsWith("plain")) return location.assign("/camera");
    return show(wasIn ? (now.state === "other" ? "other" : "refused") : now.state);
  };

  const request = async () => {
    const refusal = "main > [role=alert]";
    document.querySelector(refusal)?.remove();
    const body = new URLSearchParams({ form: main.dataset.form });
    const answer = await ask("/camera/ask", { method: "POST", body });
    // the page names the signs that the host compares
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const why = page.querySelector(refusal);
    if (!answer.ok && (!why || answer.status === 403)) return location.assign("/camera");
    if (!answer.ok) {
      close();
      main.before(why);
      return show(page.querySelector("[data-state]").dataset.state);
    }
    const word = main.querySelector("[data-word]");
    const drawn = page.querySelector("[data-word]");
    word.replaceChildren(...drawn.childNodes);
    word.setAttribute("aria-label", drawn.getAttribute("aria-label"));
    return follow();
  };

  const start = async ({ asks = true } = {}) => {
    isSingle = false;
    sessionStorage.removeItem("single");
    if (!navigator.mediaDevices?.getUserMedia) return show("blocked");
    show("starting");
    try {
      await openChosen();
    } catch (fault) {
      return show(FAULTS[fault.name] ?? "busy");
    }
    listCameras();
    try {
      await (asks ? request() : follow());
    } catch {
      show("lost");
      await pause(AGAIN);
      await follow();
    }
  };

  // a choice of cameras: with live pictures on a computer, which can open several
  const listCameras = async () => {
    const devices = (await navigator.mediaDevices.enumerateDevices()).filter((each) => each.kind === "videoinput");
    const used = stream?.getVideoTracks()[0]?.getSettings().deviceId;
    for (const old of others.querySelectorAll("video")) for (const track of old.srcObject?.getTracks() ?? []) track.stop();
    others.hidden = devices.length < 2;
    others.replaceChildren(
      ...devices.filter((each) => each.deviceId !== used).map((each) => {
        const [item, button] = [document.createElement("li"), document.createElement("button")];
        button.className = "choice";
        if (isHere) preview(each.deviceId, button);
        button.append(each.label || "?");
        button.onclick = async () => {
          localStorage.setItem(CHOSEN, each.deviceId);
          try {
            await openChosen();
          } catch {
            localStorage.removeItem(CHOSEN);
            await reopen();
          }
          listCameras();
        };
        item.append(button);
        return item;
      }),
    );
  };

  const preview = async (deviceId, button) => {
    const small = Object.assign(document.createElement("video"), { autoplay: true, muted: true, playsInline: true });
    try {
      small.srcObject = await navigator.mediaDevices.getUserMedia({ video: { deviceId: { exact: deviceId }, width: { ideal: 320 } } });
      button.prepend(small);
    } catch {
      // its name must do
    }
  };

  // phones that ask, on the computer's own page
  const attend = async (since = performance.now()) => {
    const [asking, template, unreached] = [".asking", "template", ".unreached"].map((each) => main.querySelector(each));
    for (;;) {
      try {
        const now = await (await ask("/camera/state")).json();
        unreached.hidden = now.isReached || now.state === "on" || performance.now() - since < UNREACHED * 1000;
        const ids = now.asking.map((each) => each.id).join();
        if (asking.dataset.ids !== ids) {
          asking.dataset.ids = ids;
          asking.replaceChildren(
            ...now.asking.map((each) => {
              const form = template.content.cloneNode(true);
              form.querySelector("[name=device]").value = each.id;
              form.querySelector("p").textContent = each.text;
              return form;
            }),
          );
        }
      } catch {
        // the table is restarting
      }
      await pause(AGAIN);
    }
  };

  for (const form of main.querySelectorAll("[data-start]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      start();
    });
  }
  for (const button of main.querySelectorAll("[data-again]")) button.onclick = () => start();
  for (const button of main.querySelectorAll("[data-single]")) {
    button.onclick = () => {
      isSingle = true;
      sessionStorage.setItem("single", "1");
      request();
    };
  }
  for (const form of main.querySelectorAll("form.single")) {
    form.querySelector("button").hidden = true;
    form.querySelector("[type=file]").onchange = () => {
      main.querySelector("[data-sent]").hidden = true;
      main.querySelector("[data-sending]").hidden = false;
      form.submit();
    };
  }
  document.addEventListener("visibilitychange", stayAwake);
  navigator.mediaDevices?.addEventListener?.("devicechange", () => stream && listCameras());
  if (isHere) attend();
  for (const part of main.querySelectorAll("[data-sent]")) part.hidden = location.hash !== "#sent";
  if (isSingle && (state === "on" || state === "asks")) follow();
  else if (state === "on" || state === "asks") start({ asks: false });
  else if (state === "plain-asks") follow();
})();
