import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import cards from '../content/Reports.module.css'
import { pageMeta } from '../pageMeta.ts'
import { BESIDE, MADE } from './parts.ts'

const QUESTION = 'How to read, verify and run this site, and how to build on it.'

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

/** The way into the documentation. */
export default function DocumentationPage() {
  const { items } = useLoaderData<typeof loader>()
  const chapters = items.map(({ name, ...told }) => ({ path: `/documentation/${name}`, ...told }))
  const all = [...chapters, ...MADE, ...BESIDE]
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
