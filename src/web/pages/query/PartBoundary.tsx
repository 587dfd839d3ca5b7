import { Component, type ReactNode, Suspense } from 'react'
import { Button } from '../../ui/Button.tsx'
import styles from './Editor.module.css'

type Props = {
  /** What it is, as in “Couldn’t load the result.” */
  part: string
  /** While it loads. */
  fallback?: ReactNode
  /** What stays usable in its place if it does not come. */
  instead?: ReactNode
  children: ReactNode
}

/** Around a part whose script comes later: if it does not, the rest of the page stays, with the text in it. */
export class PartBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    const { part, fallback, instead, children } = this.props
    if (!this.state.hasFailed) return <Suspense fallback={fallback}>{children}</Suspense>
    return (
      <>
        <p className={styles.missing} role="alert">
          Couldn’t load {part}. Your tabs are saved.{' '}
          <Button small onClick={() => window.location.reload()}>
            Reload
          </Button>
        </p>
        {instead}
      </>
    )
  }
}
