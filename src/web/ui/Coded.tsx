/** A sentence in which what stands between backticks is code. */
export function Coded({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no identity beyond their place
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
