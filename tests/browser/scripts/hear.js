async (text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  news.heard.moment({ data: page.getElementById("part").innerHTML });
  document.documentElement.lang = page.documentElement.lang;
  await document.fonts.ready;
}
