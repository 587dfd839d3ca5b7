import type { ReactNode } from 'react'
import { PageTitle } from '../ui/PageTitle.tsx'
import { AsOfMark, type AsOfMarkProps } from './AsOfMark.tsx'
import styles from './HeadingBlock.module.css'
import { KnownOnChoice, KnownOnNote } from './KnownOn.tsx'
import { ShareButton } from './ShareButton.tsx'

type Props = {
  title: ReactNode
  question: ReactNode
  mark?: AsOfMarkProps | undefined
  children?: ReactNode
}

/** Title, the one question that the page answers, and how old the answer is. */
export function HeadingBlock({ title, question, mark, children }: Props) {
  return (
    <header className={styles.head}>
      <PageTitle>{title}</PageTitle>
      <p className={styles.question}>{question}</p>
      <div className={styles.actions}>
        {mark && <AsOfMark {...mark} />}
        <span className={styles.buttons} data-screen>
          {children}
          {mark && <KnownOnChoice />}
          <ShareButton held={mark?.held} />
        </span>
      </div>
      <KnownOnNote />
    </header>
  )
}
