/**
 * Opens a dialog over the page, which does not scroll meanwhile (`base.css`). The width that the scroll bar had stays free, so that
 * nothing moves when it goes.
 */
export function openModal(dialog: HTMLDialogElement): void {
  const root = document.documentElement
  if (document.querySelector('dialog:modal') === null)
    root.style.setProperty('--scroll-bar', `${window.innerWidth - root.clientWidth}px`)
  dialog.showModal()
}
