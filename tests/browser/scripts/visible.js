() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = []
  while (walker.nextNode()) {
    const range = document.createRange(), node = walker.currentNode, parent = node.parentElement
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect(), unseen = parent.closest(".unseen, script, style")
    if (box.width > 1 && box.height > 1 && !unseen && parent.checkVisibility({ visibilityProperty: true }))
      words.push(...(node.data.match(/\p{L}[\p{L}\u2019'-]*/gu) || []))
  }
  return words
}
