/** Offsets in the text. */
export type Selection = { readonly from: number; readonly to: number }

/** What the page does to an editor, whichever it is. Places are offsets in the text. */
export type EditorHandle = {
  selection(): Selection
  /** Puts a text in the place of the selection. */
  insert(text: string): void
  replace(from: number, to: number, text: string): void
  select(from: number, to: number): void
  hasFocus(): boolean
}
