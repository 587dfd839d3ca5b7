import { data, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { Card } from '../blocks/Card.tsx'
import { Facts } from '../blocks/Facts.tsx'
import { HeadingBlock } from '../blocks/HeadingBlock.tsx'
import { TEXT } from '../shell/calm.ts'
import { PageError } from '../shell/PageError.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Coded } from '../ui/Coded.tsx'
import type { Failure } from './failure.ts'
import { ProblemList } from './ProblemList.tsx'
import styles from './ProblemPage.module.css'
import { pageMeta } from './pageMeta.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  const code = params.code ?? ''
  const problems = await context.get(apiContext).problems()
  const problem = problems.find(known => known.code === code)
  if (problem === undefined) {
    const codes = problems.map(known => known.code)
    const failure: Failure = {
      title: 'Page not found',
      detail: `The API never answers with the code ${code.slice(0, 80)}.`,
      hint: undefined,
      code: undefined,
      nearest: [
        ...nearestNames(code, codes).map(name => ({ path: `/errors/${name}`, label: name })),
        { path: '/errors', label: 'All problems' },
      ],
    }
    throw data(failure, { status: 404 })
  }
  const room = code.split('.')[0]
  return {
    problem,
    siblings: problems.filter(known => known.code !== code && known.code.split('.')[0] === room),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { problem, publicUrl } = loaderData
  return pageMeta({
    title: problem.title,
    description: `${problem.code}: ${problem.meaning} ${problem.remedy}`,
    path: `/errors/${problem.code}`,
    publicUrl,
  })
}

/** What one code of a problem means: where the `type` of a problem document leads. */
export default function ProblemPage() {
  const { problem, siblings } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title={problem.title} question={<Coded text={problem.meaning} />} />
      <Card title="What to do">
        <p className={styles.remedy}>
          <Coded text={problem.remedy} />
        </p>
        <Facts
          facts={[
            { label: 'Code', value: <code>{problem.code}</code> },
            { label: 'HTTP status', value: String(problem.status) },
            {
              label: 'In the answer',
              value: (
                <>
                  <code>detail</code> says what was wrong and where, <code>errors</code> names the parameters,{' '}
                  <code>instance</code> the request
                </>
              ),
              isWide: true,
            },
          ]}
        />
      </Card>
      <ProblemList title="Problems near it" problems={siblings} />
      <ButtonLink to="/errors">All problems</ButtonLink>
    </>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
