import styles from './WithCommands.module.css'

const COMMAND = /“(assay [^”]+)”/g

/** A sentence in which commands stand in quotation marks: on a page they are set as what is typed. */
export function WithCommands({ text }: { text: string }) {
  const found = [...text.matchAll(COMMAND)]
  const end = (match: RegExpExecArray): number => match.index + match[0].length
  return (
    <>
      {found.map((match, at) => (
        <span key={match.index}>
          {text.slice(at === 0 ? 0 : end(found[at - 1]!), match.index)}
          <code className={styles.command}>{match[1]}</code>
        </span>
      ))}
      {text.slice(found.length === 0 ? 0 : end(found.at(-1)!))}
    </>
  )
}
