import { faultIn } from './errors.ts'

/** Topics of the examples, in the order in which readers see them. */
export const EXAMPLE_TOPICS = [
  'Bitcoin blocks and fees',
  'Bitcoin transactions and coins',
  'Bitcoin mining',
  'Markets and prices',
  'Bitcoin layers',
  'EVM layers',
  'Stacks',
  'Stacking',
  'Treasuries and ETFs',
  'Yields',
  'Indices',
  'Developers',
  'Data coverage',
] as const
export type ExampleTopic = (typeof EXAMPLE_TOPICS)[number]

/** A query that anybody can run as it is. */
export type QueryExample = {
  /** Name of its file without the ending. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly topic: ExampleTopic
  /** Without its head. */
  readonly sql: string
  /** A default for each parameter of the query. */
  readonly parameters: Readonly<Record<string, string>>
}

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/
const FIELDS = ['title', 'about', 'topic'] as const
const HEAD_LINE = /^-- (title|about|topic|parameter ([A-Za-z_]\w*)): *(.*)$/
const PLACEHOLDER = /\{\s*([A-Za-z_]\w*)\s*:/g

/**
 * A file of `content/queries/`: a head of comments up to the first empty line, then one query. Throws `content.invalid`
 * with file, line and reason.
 */
export function parseQueryExample(text: string, id: string): QueryExample {
  const file = `content/queries/${id}.sql`
  if (!ID.test(id) || id.length > 80)
    throw faultIn(file, 'name the file in lower-case words joined by hyphens')
  const lines = text.split(/\r?\n/)
  const headLength = lines.findIndex(line => line.trim() === '')
  if (headLength === -1) throw faultIn(file, 'an empty line must separate the head from the query')
  const head = new Map<string, string>()
  const parameters = new Map<string, string>()
  for (const [index, line] of lines.slice(0, headLength).entries()) {
    const [, field = '', parameter, value = ''] = HEAD_LINE.exec(line) ?? []
    const [named, key] = parameter === undefined ? [head, field] : [parameters, parameter]
    if (field === '')
      throw faultIn(file, 'the head has lines such as `-- title: …` and `-- parameter day: …`', index + 1)
    if (named.has(key)) throw faultIn(file, `${field} is in the head twice`, index + 1)
    if (value.trim() === '' && parameter === undefined) throw faultIn(file, `${field} is empty`, index + 1)
    named.set(key, value.trim())
  }
  const [title = '', about = '', topicName = ''] = FIELDS.map(field => {
    const value = head.get(field)
    if (value === undefined) throw faultIn(file, `${field} is missing from the head`)
    return value
  })
  const topic = EXAMPLE_TOPICS.find(each => each === topicName)
  if (topic === undefined) throw faultIn(file, `topic must be one of: ${EXAMPLE_TOPICS.join(', ')}`)
  const sql = lines.slice(headLength).join('\n').trim()
  if (sql === '') throw faultIn(file, 'the query is missing')
  const used = new Set([...sql.matchAll(PLACEHOLDER)].map(([, name = '']) => name))
  for (const name of used)
    if (!parameters.has(name)) throw faultIn(file, `the parameter ${name} has no default in the head`)
  for (const name of parameters.keys())
    if (!used.has(name)) throw faultIn(file, `the query does not use the parameter ${name}`)
  return { id, title, about, topic, sql, parameters: Object.fromEntries(parameters) }
}

/** By topic, then by name of their files. */
export const inOrder = (examples: readonly QueryExample[]): QueryExample[] =>
  examples.toSorted(
    (a, b) =>
      EXAMPLE_TOPICS.indexOf(a.topic) - EXAMPLE_TOPICS.indexOf(b.topic) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
