import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import type { SignInProblem } from '../../people/account/signInCode.ts'
import { usePeople } from '../../people/usePeople.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import styles from '../plans/Plans.module.css'

export const meta = () => [{ title: 'Signing in · Assay' }, { name: 'robots', content: 'noindex' }]

/** Where the identity provider sends readers back to: on to where they were, or to the sentence that says what went wrong. */
export default function CallbackPage() {
  const { people } = usePeople()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<SignInProblem>()
  useEffect(() => {
    let isGone = false
    people?.finishSignIn().then(
      returnTo => {
        if (!isGone) navigate(returnTo, { replace: true })
      },
      async error => {
        const { signInProblem } = await import('../../people/account/signInCode.ts')
        if (!isGone) setProblem(signInProblem(error, 'login_failed'))
      },
    )
    return () => {
      isGone = true
    }
  }, [people, navigate])
  if (problem === undefined)
    return (
      <div className={styles.page}>
        <HeadingBlock
          title="Signing in"
          question="The identity provider has answered; its answer is being checked."
        />
        <Spinner label="Signing in" />
        <noscript>Signing in needs scripts, which this browser does not run.</noscript>
      </div>
    )
  return (
    <div className={styles.page}>
      <HeadingBlock title={problem.title} question={problem.meaning} />
      <Card title="What to do">
        <div className={styles.words} role="alert">
          <p>{problem.remedy}</p>
          <details>
            <summary>Details</summary>
            <code>{problem.raw}</code>
          </details>
        </div>
      </Card>
      <p className={styles.ways}>
        <Button look="primary" onClick={() => void people?.signIn('/')}>
          Sign In
        </Button>
        <ButtonLink to="/">Home</ButtonLink>
      </p>
    </div>
  )
}

export const ErrorBoundary = PageError
