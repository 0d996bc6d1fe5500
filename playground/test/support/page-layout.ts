/** Runs in the page: words in tables that are broken over several lines. */
export const brokenWords = `(() => {
  const texts = document.createTreeWalker(document.querySelector('.block-table'), NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** Runs in the page: true if the first match has to scroll. */
export const isTallerThanItsBox = (selector: string) =>
  `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('${selector}'))`;

/** Runs in the page: true if the content of the first match is wider than the element. */
export const overflows = (selector: string) =>
  `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('${selector}'))`;
