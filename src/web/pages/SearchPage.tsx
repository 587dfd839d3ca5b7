import { Form, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../blocks/HeadingBlock.tsx'
import { PageError } from '../shell/PageError.tsx'
import { Button } from '../ui/Button.tsx'
import { findAll } from './findAll.server.ts'
import styles from './SearchPage.module.css'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const asked = (url.searchParams.get('q') ?? '').trim().slice(0, 120)
  if (asked === '') return { asked, pages: [], metrics: [] }
  const found = await findAll(context.get(apiContext), context.get(siteContext), asked)
  if ('path' in found) throw redirect(found.path)
  return { asked, ...found }
}

export const meta = () => [{ title: 'Search · Assay' }, { name: 'robots', content: 'noindex' }]

/** Blocks and transactions open at once; figures and pages are listed. */
export default function SearchPage() {
  const { asked, pages, metrics } = useLoaderData<typeof loader>()
  const isEmpty = pages.length === 0 && metrics.length === 0
  return (
    <>
      <HeadingBlock
        title="Search"
        question="A block by height or hash, a transaction by its id, a figure or a page by name."
      />
      <Form className={styles.form}>
        <input
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
      {asked !== '' && isEmpty && (
        <p className={styles.none}>
          Nothing here is called “{asked}”. If it is a block or a transaction, it is not held on this server.
        </p>
      )}
      <ul className={styles.list}>
        {pages.map(page => (
          <li key={page.path}>
            <Link to={page.path}>{page.label}</Link>
            <span>page</span>
          </li>
        ))}
        {metrics.map(metric => (
          <li key={metric.assay}>
            <Link to={`${metric.page}?assay=${metric.assay}`}>{metric.name}</Link>
            <span>
              {metric.entity} · {metric.definition}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

export const ErrorBoundary = PageError
