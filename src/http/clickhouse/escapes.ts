/** Characters that an escape with a backslash stands for, in ClickHouse's strings and in its format TabSeparated. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '/': '/',
}

/** Before any other sign the backslash stays, so that patterns such as `\d` need no second one. */
export const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (both, sign: string) => ESCAPES[sign] ?? both)
