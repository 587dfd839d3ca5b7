import type { CatalogEcosystem } from '#catalog/index.ts'

/** Commits by repository, person, UTC day and kind; people are numbers drawn by lot, of the time of day nothing is left. */
export function developerCommits(text: string, ecosystems: readonly CatalogEcosystem[]): string {
  const [head = '', ...lines] = text.replaceAll('\r', '').trimEnd().split('\n')
  if (head !== 'repo,layer,author_id,authored_at,is_merge,is_bot')
    throw new Error(`the recording of commits has other columns: ${head}`)
  const facts = new Map(
    ecosystems.flatMap(({ repositories }) => repositories.map(({ name, recorded }) => [name, recorded])),
  )
  const counts = new Map<string, number>()
  for (const line of lines) {
    const [repo = '', , author = '', at = '', isMerge, isBot] = line.split(',')
    if (facts.get(repo) === undefined) throw new Error(`the catalog knows nothing of a recording of ${repo}`)
    const kind = isMerge === '1' ? 'merge' : isBot === '1' ? 'bot' : 'commit'
    const key = [repo, author, at.slice(0, 10), kind].join(',')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  // What a repository is recorded of stands in its first row alone.
  const seen = new Set<string>()
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    'repository,author,day,kind,commits,head,inherited',
    ...rows.map(([key, count]) => {
      const repo = key.slice(0, key.indexOf(','))
      const recorded = seen.has(repo) ? undefined : facts.get(repo)
      seen.add(repo)
      return `${key},${count},${recorded?.head ?? ''},${recorded?.inherited ?? ''}`
    }),
  ].join('\n')
}
