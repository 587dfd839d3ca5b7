import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { FileLink } from '../../ui/Button.tsx'

type Props = {
  title: string
  question: string
  /** The list’s address in the API. */
  path: string
  /** What is asked of it, as a query. */
  asked: string
  /** What only the file asks for beside its form. */
  ofFile?: string
  mark: AsOfMarkProps
}

/** The first line of a list over all chains, with the list itself as data. */
export function ListHeading({ title, question, path, asked, ofFile = '', mark }: Props) {
  const csv = [asked, 'format=csv', ofFile].filter(part => part !== '').join('&')
  return (
    <HeadingBlock title={title} question={question} mark={mark}>
      <FileLink icon="code" label="This list as JSON" href={asked === '' ? path : `${path}?${asked}`} />
      <FileLink icon="download" label="This list as CSV" href={`${path}?${csv}`} />
    </HeadingBlock>
  )
}
