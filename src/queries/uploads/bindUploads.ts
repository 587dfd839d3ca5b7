import { type Edit, edited } from '../edits.ts'
import { type Place, placeAt, QueryError } from '../errors.ts'
import { isName, isSymbol, type Token } from '../tokens.ts'

/** The word in front of the name of an upload: `uploads.my_prices`. */
export const UPLOADS_WORD = 'uploads'

/** Where an upload of the asker is: its name, and the database of its current version. */
export type UploadTable = { readonly name: string; readonly database: string }

/** A statement as the engine gets it. */
export type BoundSql = {
  readonly text: string
  /** Databases of uploads that the statement reads; the gate opens these and no others. */
  readonly databases: readonly string[]
  /** Words of the engine as the asker wrote them. */
  restored(message: string): string
  /** A place in `text` as a place in the statement that was sent. */
  placeOf(place: Place): Place
}

/**
 * Replaces `uploads.name` by the table of that upload, and `uploads.name.column` by `name.column`. Names that the asker has no
 * upload of stay as they are, and the gate refuses them. A text that is cut differently than by the engine only leads to a
 * refusal: what may be read is decided by the gate, not here. `more` is replaced with it.
 */
export function bindUploads(
  { text, tokens }: { text: string; tokens: readonly Token[] },
  uploads: readonly UploadTable[],
  more: readonly Edit[] = [],
): BoundSql {
  const byName = new Map(uploads.map(upload => [upload.name, upload.database]))
  const used = new Set<string>()
  const edits: Edit[] = [...more]
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 2]
    if (!isUploads(tokens, at) || name === undefined) continue
    const database = byName.get(name.value)
    if (database === undefined) continue
    used.add(database)
    edits.push(
      isDot(tokens[at + 3])
        ? { start: token.start, end: name.start, text: '' }
        : { start: token.start, end: token.end, text: database },
    )
  }
  edits.sort((a, b) => a.start - b.start)
  return {
    text: edited(text, edits),
    databases: [...used],
    restored: message => [...used].reduce((words, name) => words.replaceAll(name, UPLOADS_WORD), message),
    placeOf: place => placeBefore(text, edits, place),
  }
}

/** Names of uploads that a statement reads, as it writes them. */
export function uploadsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((_, at) => (isUploads(tokens, at) ? [tokens[at + 2]?.value ?? ''] : []))
}

const isUploads = (tokens: readonly Token[], at: number): boolean =>
  isName(tokens[at]) &&
  tokens[at]?.value === UPLOADS_WORD &&
  !isDot(tokens[at - 1]) &&
  isDot(tokens[at + 1]) &&
  isName(tokens[at + 2])

const isDot = (token: Token | undefined): boolean => isSymbol(token, '.')

function placeBefore(text: string, edits: readonly Edit[], place: Place): Place {
  const changed = edited(text, edits)
  const lines = changed.split('\n')
  let index = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, place.column - 1)
  for (const { start, end, text: written } of edits) {
    if (index <= start) break
    // Inside of what was written: the name begins where the asker wrote it.
    index = index < start + written.length ? start : index + (end - start) - written.length
  }
  return placeAt(text, Math.max(0, Math.min(index, text.length)))
}

/** How the gate refuses a table, see `warehouse/gate/names.ts`. */
const REFUSED = /Table uploads\.(\S+) is not open to queries/

/** The error for a statement that names an upload which the asker does not have; undefined for every other error. */
export function unknownUpload(error: QueryError, uploads: readonly UploadTable[]): QueryError | undefined {
  const name = REFUSED.exec(error.message)?.[1]
  if (name === undefined) return undefined
  const own = uploads.map(upload => `${UPLOADS_WORD}.${upload.name}`)
  return new QueryError('sql.unknown_upload', `You have no upload named ${name}.`, {
    place: error.place,
    hint: `Only the owner of an upload can query it, with Premium and, for an API key, the scope read:own.${
      own.length > 0 ? ` Your uploads: ${own.slice(0, 20).join(', ')}.` : ''
    }`,
  })
}
