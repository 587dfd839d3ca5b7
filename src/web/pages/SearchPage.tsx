import { Form, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { apiContext } from '#http/context.ts'
import { HeadingBlock } from '../blocks/HeadingBlock.tsx'
import { KindMark } from '../search/KindMark.tsx'
import { GROUP_NAMES, groupsOf } from '../search/kinds.ts'
import { ResultLabel } from '../search/ResultText.tsx'
import { remember } from '../search/recent.ts'
import { PageError } from '../shell/PageError.tsx'
import { Button } from '../ui/Button.tsx'
import { answering } from './answering.server.ts'
import styles from './SearchPage.module.css'

/** Longest text that is asked for. */
const LONGEST = 200
const LIMIT = 60

export async function loader({ url, context }: LoaderFunctionArgs) {
  const asked = (url.searchParams.get('q') ?? '').trim().slice(0, LONGEST)
  if (asked === '') return { asked, found: undefined }
  const found = await answering('The search', () =>
    context.get(apiContext).search({ q: asked, limit: LIMIT }),
  )
  if (found.opens !== null) throw redirect(found.opens)
  return { asked, found }
}

export const meta = () => [{ title: 'Search · Assay' }, { name: 'robots', content: 'noindex' }]

/** An id of one thing opens it at once; everything else is listed by kind, the kind of the best result first. */
export default function SearchPage() {
  const { asked, found } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock
        title="Search"
        question="A layer, token, treasury, metric, table or page by name; a block, transaction, address or contract by its id."
      />
      <Form className={styles.form}>
        <input
          key={asked}
          className={styles.input}
          type="search"
          name="q"
          defaultValue={asked}
          aria-label="Search"
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" look="primary">
          Search
        </Button>
      </Form>
      {found && <Results found={found} />}
    </>
  )
}

type Found = NonNullable<Awaited<ReturnType<typeof loader>>['found']>

function Results({ found }: { found: Found }) {
  const { asked, items, total, nearest } = found
  if (items.length === 0)
    return (
      <div className={styles.none}>
        <p>
          No results for “{asked}”. If it is a block, a transaction or an address, it is not indexed on this
          server.
        </p>
        {nearest.length > 0 && (
          <p>
            Did you mean{' '}
            {nearest.map(({ label, path }, at) => (
              <span key={path}>
                {at === 0 ? '' : at === nearest.length - 1 ? ' or ' : ', '}
                <Link to={path}>{label}</Link>
              </span>
            ))}
            ?
          </p>
        )}
      </div>
    )
  return (
    <>
      <p className={styles.none}>
        {total === 1 ? '1 result' : `${total.toLocaleString('en-US')} results`}
        {total > items.length && `, the best ${items.length} of them listed`}
      </p>
      {groupsOf(items).map(({ kind, items: ofKind }) => (
        <section key={kind} className={styles.group} aria-labelledby={`of-${kind}`}>
          <h2 id={`of-${kind}`} className={styles.title}>
            {GROUP_NAMES[kind]}
          </h2>
          <ul>
            {ofKind.map(item => (
              <li key={item.path} className={styles.item}>
                <KindMark kind={kind} />
                <span>
                  <Link to={item.path} onClick={() => remember(item)}>
                    <ResultLabel label={item.label} marks={item.marks} />
                  </Link>
                  <span className={styles.detail}>{item.detail}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

export const ErrorBoundary = PageError
