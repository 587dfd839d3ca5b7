/** Puts a text on the clipboard; pages that came over plain HTTP have no clipboard of their own and copy a selection. */
export async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  // A modal dialog lets nothing outside of it be selected.
  const place = document.querySelector('dialog:modal') ?? document.body
  place.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
}
