import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import cards from '../content/Reports.module.css'
import { pageMeta } from '../pageMeta.ts'

const QUESTION = 'How to read, check and run what stands here, and how to build on it.'

export async function loader({ context }: LoaderFunctionArgs) {
  const { items } = await answering('The documentation', () => context.get(apiContext).content.guides())
  return { items, publicUrl: context.get(siteContext).publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Documentation',
    description: QUESTION,
    path: '/documentation',
    publicUrl: loaderData?.publicUrl,
  })

/** Parts that are made of what the program declares. */
const MADE = [
  {
    path: '/documentation/metrics',
    title: 'Metrics',
    summary: 'Every metric: what it means, how it is computed, how it can mislead, its SQL and its sources.',
  },
  {
    path: '/documentation/tables',
    title: 'Tables',
    summary: 'Every table that SQL can read, with its columns, their types and units.',
  },
  {
    path: '/documentation/console',
    title: 'API console',
    summary: 'Every operation of the API: its parameters, a form that asks it, and the same from a program.',
  },
  {
    path: '/documentation/sources',
    title: 'Sources',
    summary:
      'Every chain, publisher and recording: what it gives, its licence, and the metrics that rest on it.',
  },
  {
    path: '/status',
    title: 'Status',
    summary: 'What is held of each chain, when each source was last read, and what was refused.',
  },
  {
    path: '/errors',
    title: 'Problems',
    summary: 'Every problem that the API answers with: what it means and what to do.',
  },
]

/** The way into the documentation. */
export default function DocumentationPage() {
  const { items } = useLoaderData<typeof loader>()
  const all = [...items.map(({ name, ...told }) => ({ path: `/documentation/${name}`, ...told })), ...MADE]
  return (
    <>
      <HeadingBlock title="Documentation" question={QUESTION} />
      <ul className={cards.list}>
        {all.map(({ path, title, summary }) => (
          <li key={path} className={cards.card}>
            <h2 className={cards.title}>
              <Link to={path}>{title}</Link>
            </h2>
            <p>{summary}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
