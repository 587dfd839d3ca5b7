import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import styles from './Editor.module.css'

/** Begins a text that is not there yet. */
export function NewText() {
  const navigate = useNavigate()
  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const kind = String(form.get('kind'))
    void navigate(`/editor?text=${kind}/${kind === 'ads' ? 'ads' : String(form.get('key'))}`)
  }
  return (
    <form className={styles.row} onSubmit={handleSubmit}>
      <label>
        Kind{' '}
        <select name="kind" defaultValue="report">
          <option value="report">Report</option>
          <option value="gated">Piece for a feature</option>
          <option value="page">Page</option>
          <option value="guide">Chapter</option>
          <option value="ads">Advertisements</option>
        </select>
      </label>
      <label>
        Name in its address <input name="key" pattern="[A-Za-z0-9]+(-[A-Za-z0-9]+)*" maxLength={80} />
      </label>
      <Button type="submit" small>
        Begin
      </Button>
    </form>
  )
}
