() => {
  const window = document.querySelector(".window").getBoundingClientRect()
  const sheet = document.querySelector(".square").getBoundingClientRect()
  const ends = each => {
    const at = each.getBoundingClientRect()
    return at.bottom > window.bottom || at.right > sheet.left
  }
  return [...document.querySelectorAll(".lead li span")].filter(ends).map(each => each.innerText)
}
