import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { existingPages, siteWith } from '../../site.ts'
import cards from '../content/Reports.module.css'
import { pageMeta } from '../pageMeta.ts'
import { QUESTIONS } from './questions.ts'

const QUESTION =
  'Figures across all chains. Each dashboard answers one question, and every number opens its details.'

export function loader({ context }: LoaderFunctionArgs) {
  const site = context.get(siteContext)
  const labels = new Map(existingPages(siteWith(site)).map(({ path, label }) => [path, label]))
  const items = Object.entries(QUESTIONS).flatMap(([path, question]) => {
    const label = labels.get(path)
    return label === undefined ? [] : [{ path, label, question }]
  })
  return { items, publicUrl: site.publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Custom Dashboards',
    description: QUESTION,
    path: '/dashboards',
    publicUrl: loaderData?.publicUrl,
  })

/** The gallery of dashboards. */
export default function DashboardsPage() {
  const { items } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title="Custom Dashboards" question={QUESTION} />
      <ul className={cards.list}>
        {items.map(({ path, label, question }) => (
          <li key={path} className={cards.card}>
            <h2 className={cards.title}>
              <Link to={path}>{label}</Link>
            </h2>
            <p>{question}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

export const ErrorBoundary = PageError
