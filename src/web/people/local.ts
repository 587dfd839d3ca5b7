/** What local storage has under a key; null where there is none or none may be read. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text, or removes it where there is none. Where nothing may be kept, nothing is. */
export function keepLocal(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage may be forbidden or full: what would be kept then lasts as long as the page.
  }
}
