import { Link, type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
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
  return {
    chosen,
    values,
    unknown: chosen.id === asked || !url.searchParams.has('op') ? null : asked.slice(0, 60),
    groups: [...Map.groupBy(operations, ({ path }) => groupOf(path))].map(([name, all]) => ({
      name,
      operations: all.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    })),
    publicUrl,
  }
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
  const { groups, chosen, values, unknown, publicUrl } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title="API console" question={QUESTION}>
        <ButtonLink to="/documentation/api" small>
          Chapter about the API
        </ButtonLink>
      </HeadingBlock>
      {unknown !== null && (
        <p className={styles.unknown}>
          There is no operation of the name that was asked for; here is another.
        </p>
      )}
      <div className={styles.page}>
        <nav className={styles.list} aria-label="Operations">
          {groups.map(({ name, operations }) => (
            <details key={name} open={operations.some(({ id }) => id === chosen.id)}>
              <summary>{name}</summary>
              <ul>
                {operations.map(({ id, method, path }) => (
                  <li key={id}>
                    <Link to={`?op=${id}`} aria-current={id === chosen.id ? 'page' : undefined}>
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
