import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Coded } from '../../ui/Coded.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './Plans.module.css'
import { signInError } from './signInErrors.ts'

const UNKNOWN = {
  title: 'Something went wrong',
  meaning: 'This site has no error with this code.',
  remedy: 'Go back and try again. If the error persists, tell the operator of this site what you did last.',
}

/** Only our own sentences leave: nothing of the address does. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const code = url.searchParams.get('code') ?? ''
  const problem = (await context.get(apiContext).problems()).find(known => known.code === code)
  const ofSignIn = problem === undefined ? signInError(code) : undefined
  const { title, meaning, remedy } = problem ?? ofSignIn ?? UNKNOWN
  return { title, meaning, remedy, code: problem?.code, publicUrl: context.get(siteContext).publicUrl }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Error',
    path: '/error',
    description: 'What the code of an error means to whom it led here: what happened, why, and what to do.',
    publicUrl: loaderData?.publicUrl,
  })

/** What a code means to whom an error led here: what happened, why, what to do. */
export default function ErrorPage() {
  const { title, meaning, remedy, code } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <HeadingBlock title={title} question={<Coded text={meaning} />} />
      <Card title="What to do">
        <div className={styles.words}>
          <p>
            <Coded text={remedy} />
          </p>
        </div>
      </Card>
      <p className={styles.ways}>
        <ButtonLink to="/" look="primary">
          Home
        </ButtonLink>
        {code !== undefined && <ButtonLink to={`/errors/${code}`}>More about this problem</ButtonLink>}
      </p>
    </div>
  )
}

export const ErrorBoundary = PageError
