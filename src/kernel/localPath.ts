/**
 * Whether a text is a path of this site: one `/` at its beginning, no further empty part before its query, and none of the
 * characters that browsers read as a slash or leave out. `/\evil.example` and `/⇥/evil.example` lead to another host
 * (WHATWG URL, 4.4: a backslash is a slash; tabs and line breaks are removed).
 */
export const isLocalPath = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  /^\/(?!\/)/.test(text) && !/[\\\u0000-\u0020\u007f]/.test(text) && !/\/\//.test(text.split(/[?#]/)[0] ?? '')

/**
 * The path of a request as HTTP/1.1 writes it (RFC 9112, 3.2.1: origin-form): it begins with one `/` and has no backslash or
 * control character before its query, and nowhere a `#`. Doubled slashes further on are allowed: the site redirects them.
 */
export function isRequestPath(url: string): boolean {
  // Browsers never send a fragment, and routing ignores it: it would give one page endless addresses.
  if (url.includes('#')) return false
  const path = url.split('?')[0] ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return /^\/(?!\/)/.test(path) && !/[\\\u0000-\u0020\u007f]/.test(path)
}
