// Timers of the camera page. Browsers slow the timers of hidden tabs, but not those of workers.
"use strict";
onmessage = ({ data: [number, milliseconds] }) => setTimeout(() => postMessage(number), milliseconds);
