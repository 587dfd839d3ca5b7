/**
 * What is wrong with the blocks of a leaf as it lies open, one line each: words that are cut off, words that lie on others, parts
 * that reach beyond the stage of their block. Runs in the browser, where nothing of this file but itself exists.
 */
export function blockFaults(): string[] {
  const EDGE = 1.5
  /** A line is higher than its letters. */
  const DESCENT = 3
  /** Rows of choices and tabs reach into the margin of a page. */
  const MARGIN = 8
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.visually-hidden, [hidden]') === null
  const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowX)
  const cuts = (element: Element): boolean => /hidden|clip/.test(getComputedStyle(element).overflowX)
  const ancestors = (element: Element, stage: Element): Element[] => {
    const found: Element[] = []
    for (let at: Element | null = element; at !== null && at !== stage; at = at.parentElement) found.push(at)
    return found
  }
  const named = (element: Element): string => {
    const name = typeof element.className === 'string' ? element.className.split(' ')[0] : ''
    return `${element.tagName.toLowerCase()}${name === '' ? '' : `.${name}`}`
  }
  /** What lies in one plane: what is lifted above others may cover them. */
  const planeOf = (element: Element, stage: Element): Element =>
    ancestors(element, stage).find(
      each => getComputedStyle(each).zIndex !== 'auto' || each.matches('dialog, [popover]'),
    ) ?? stage

  const faults: string[] = []
  for (const stage of document.querySelectorAll<HTMLElement>('.stage')) {
    const state = stage.dataset.state ?? ''
    const room = stage.getBoundingClientRect()
    const say = (what: string): void => {
      faults.push(`${state}: ${what}`)
    }
    for (const element of stage.querySelectorAll('*')) {
      if (element.closest('svg') !== null || !isSeen(element) || scrolls(element)) continue
      const box = element.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      if (getComputedStyle(element).position === 'fixed' || element.closest('dialog, [popover]') !== null)
        continue
      if (ancestors(element.parentElement ?? stage, stage).some(each => scrolls(each) || cuts(each))) continue
      const beyond = Math.max(box.right - room.right, room.left - box.left)
      if (beyond > MARGIN) say(`${named(element)} reaches ${Math.round(beyond)} px beyond its block`)
    }

    const words: { text: string; box: DOMRect; plane: Element; element: Element }[] = []
    const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (text === '' || element === null || !isSeen(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const above = ancestors(element, stage)
      const isTold = element.closest('[title], [aria-hidden="true"]') !== null
      for (const box of range.getClientRects()) {
        if (box.width === 0) continue
        const frames = above.filter(each => scrolls(each) || cuts(each))
        const cutting = frames.find(each => {
          const frame = each.getBoundingClientRect()
          const { overflowX, overflowY } = getComputedStyle(each)
          const isAcross = box.right > frame.right + EDGE || box.left < frame.left - EDGE
          const isDown = box.bottom > frame.bottom + DESCENT || box.top < frame.top - DESCENT
          return (/hidden|clip/.test(overflowX) && isAcross) || (/hidden|clip/.test(overflowY) && isDown)
        })
        if (cutting && !isTold) say(`“${text.slice(0, 40)}” is cut off by ${named(cutting)}`)
        const isInSight = frames.every(each => {
          const frame = each.getBoundingClientRect()
          return (
            box.left < frame.right &&
            box.right > frame.left &&
            box.top < frame.bottom &&
            box.bottom > frame.top
          )
        })
        if (isInSight && !cutting) words.push({ text, box, plane: planeOf(element, stage), element })
      }
    }
    for (const [index, one] of words.entries())
      for (const other of words.slice(index + 1)) {
        if (one.plane !== other.plane || one.element === other.element) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (across > 3 && down > 5) say(`“${one.text.slice(0, 30)}” lies on “${other.text.slice(0, 30)}”`)
      }
  }
  const wide = document.documentElement.scrollWidth - window.innerWidth
  if (wide > 0) faults.push(`the page is ${wide} px too wide`)
  return [...new Set(faults)]
}
