/** What `make` gives, made with the first call and shared by all later ones. A failure is not cached: the next call makes it again. */
export function lasting<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(cause => {
      made = undefined
      throw cause
    })
    return made
  }
}
