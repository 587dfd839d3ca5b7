import {
  Form,
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
  useLocation,
  useNavigate,
} from 'react-router'
import { type ApiOperation, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { addressWith } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './Console.module.css'
import { OperationForm } from './OperationForm.tsx'
import { addressOf, valuesOf } from './operation.ts'

const QUESTION =
  'Every operation of the API. Choose one, fill it in, send it: what comes is what a program gets.'
const FIRST = 'readMetric'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const { operations, publicUrl } = context.get(siteContext)
  const asked = url.searchParams.get('op') ?? FIRST
  const chosen = operations.find(({ id }) => id === asked) ?? operations[0]
  if (chosen === undefined) throw new Response(null, { status: 404 })
  const values = valuesOf(chosen, url.searchParams)
  // The form of a page without a script leads here, and from here to the answer itself.
  if (url.searchParams.has('send') && chosen.method === 'GET') throw redirect(addressOf(chosen, values))
  const find = url.searchParams.get('find') ?? ''
  const found = operations.filter(operation => names(operation, find))
  return {
    chosen,
    find,
    values,
    unknown: chosen.id === asked || !url.searchParams.has('op') ? null : asked.slice(0, 60),
    groups: [...Map.groupBy(found, ({ path }) => groupOf(path))].map(([name, all]) => ({
      name,
      operations: all.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    })),
    publicUrl,
  }
}

/** Whether all words that are looked for stand in its name, address or sentence. */
function names({ id, method, path, summary }: ApiOperation, find: string): boolean {
  const text = `${id} ${method} ${path} ${summary}`.toLowerCase()
  return find
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

/** `/api/v1/metrics/{id}` is of `metrics`; what begins with a layer is of the layers; what is outside the API is of the server. */
function groupOf(path: string): string {
  if (!path.startsWith('/api/v1/')) return 'server'
  const part = path.split('/')[3] ?? ''
  return part.startsWith('{') ? 'EVM layers' : part
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'API console',
    description: QUESTION,
    path: '/documentation/console',
    publicUrl: loaderData?.publicUrl,
  })

/** The API to be tried: its operations on the left, the chosen one with its form and its answer. */
export default function ConsolePage() {
  const { groups, chosen, values, unknown, publicUrl, find } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const navigate = useNavigate()
  const handleFind = (text: string) =>
    navigate(addressWith(search, { find: text === '' ? undefined : text }), {
      replace: true,
      preventScrollReset: true,
    })
  const finder = useTypedEarly(typed => handleFind(typed.get('find') ?? ''))
  return (
    <>
      <HeadingBlock title="API console" question={QUESTION}>
        <ButtonLink to="/documentation/api" small>
          Chapter about the API
        </ButtonLink>
      </HeadingBlock>
      {unknown !== null && <p className={styles.unknown}>Unknown operation. Showing another one.</p>}
      <div className={styles.page}>
        <nav className={styles.list} aria-label="Operations">
          <Form ref={finder} className={styles.find}>
            <input type="hidden" name="op" value={chosen.id} />
            <input
              type="search"
              name="find"
              defaultValue={find}
              placeholder="Find an operation"
              aria-label="Find an operation"
              onChange={event => handleFind(event.target.value)}
            />
          </Form>
          {groups.length === 0 && <p role="status">No operation has these words.</p>}
          {groups.map(({ name, operations }) => (
            <details
              key={`${name} ${find}`}
              open={find !== '' || operations.some(({ id }) => id === chosen.id)}
            >
              <summary>{name}</summary>
              <ul>
                {operations.map(({ id, method, path }) => (
                  <li key={id}>
                    <Link
                      to={`?op=${id}${find === '' ? '' : `&find=${encodeURIComponent(find)}`}`}
                      aria-current={id === chosen.id ? 'page' : undefined}
                    >
                      <small>{method}</small> <code>{path.replace('/api/v1', '')}</code>
                    </Link>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
        <OperationForm key={chosen.id} operation={chosen} values={values} origin={publicUrl} />
      </div>
    </>
  )
}

export const ErrorBoundary = PageError
