/** Where the server tells of changes; the path of the page follows. Its query may hold secrets, as the code of a sign-in. */
export const CHANGES = '/api/v1/changes?page='

/**
 * Calls back each time that what this page shows may have changed, until the returned function is called. Apart from what else is asked of the
 * API: every page needs this, and nothing else of it before somebody does something.
 */
export function changesOf(page: string, handleChange: () => void): () => void {
  const source = new EventSource(CHANGES + encodeURIComponent(page))
  source.addEventListener('change', handleChange)
  source.addEventListener('availability', async ({ data }) => {
    // Rare: its script comes with the first such event.
    const { showAvailability } = await import('./outage.ts')
    if (showAvailability(data)) handleChange()
  })
  return () => source.close()
}
