type Props = {
  /** As written on Apple devices: ⌘K. */
  apple: string
  /** As written everywhere else: Ctrl K. */
  other: string
}

/** A keyboard shortcut in the signs of the reader’s own keyboard. Screen readers get it from `aria-keyshortcuts`. */
export const Keys = ({ apple, other }: Props) => (
  <>
    <span data-keys="apple">{apple}</span>
    <span data-keys="other">{other}</span>
  </>
)
