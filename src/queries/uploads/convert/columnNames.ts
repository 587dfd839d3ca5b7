const LONGEST = 100

/**
 * Names of columns for the headers of a file: letters, digits and underscores, each name once. What a header means to a browser,
 * a spreadsheet or a text direction does not survive.
 */
export function columnNames(headers: readonly string[]): string[] {
  const taken = new Set<string>()
  return headers.map((header, at) => {
    const words = header
      .normalize('NFC')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, LONGEST)
    const base = words === '' ? `column_${at + 1}` : /^\p{N}/u.test(words) ? `c_${words}` : words
    let name = base
    for (let next = 2; taken.has(name.toLowerCase()); next++) name = `${base}_${next}`
    taken.add(name.toLowerCase())
    return name
  })
}
