import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../blocks/HeadingBlock.tsx'
import { TEXT } from '../shell/calm.ts'
import { PageError } from '../shell/PageError.tsx'
import { ProblemList } from './ProblemList.tsx'
import { pageMeta } from './pageMeta.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  return {
    problems: await context.get(apiContext).problems(),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Problems',
    description: 'Every problem that the API of Assay answers with: what it means and what to do.',
    path: '/errors',
    publicUrl: loaderData?.publicUrl,
  })

/** What the part of a code before the dot is about. */
const ROOMS: Record<string, string> = {
  http: 'The request',
  metrics: 'Metrics',
  explorer: 'Blocks and transactions',
  sql: 'SQL',
  warehouse: 'The engine',
}

/** All problems by what they are about. */
export default function ProblemsPage() {
  const { problems } = useLoaderData<typeof loader>()
  const byRoom = Map.groupBy(problems, problem => problem.code.split('.')[0] ?? '')
  return (
    <>
      <HeadingBlock
        title="Problems"
        question="Every problem that the API answers with: what it means and what to do."
      />
      {[...byRoom].map(([room, ones]) => (
        <ProblemList key={room} title={ROOMS[room] ?? room} problems={ones} />
      ))}
    </>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
