import { lazy } from 'react'
import type { ReportList } from '#http/contract.ts'
import { Later } from '../../blocks/Later.tsx'
import { NEWEST } from './anchors.ts'

const Words = lazy(async () => ({ default: (await import('./NewestWords.tsx')).NewestWords }))

/** What was written last of these figures; nothing where no report is published. */
export const Newest = ({ report }: { report: ReportList['items'][number] | undefined }) =>
  report && (
    <Later section={NEWEST}>
      <Words report={report} />
    </Later>
  )
