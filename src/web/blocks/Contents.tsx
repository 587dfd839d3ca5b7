import styles from './Contents.module.css'

type Props = { parts: readonly { id: string; label: string }[] }

/** Links to the parts of a long page, in its order. */
export function Contents({ parts }: Props) {
  return (
    <nav className={styles.contents} aria-label="On this page" data-screen>
      {parts.map(({ id, label }) => (
        <a key={id} href={`#${id}`}>
          {label}
        </a>
      ))}
    </nav>
  )
}
