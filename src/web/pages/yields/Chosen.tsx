import { Form, useLocation, useNavigate } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { addressWith } from '../../blocks/view.ts'
import { Button } from '../../ui/Button.tsx'
import { OtherFields } from '../../ui/OtherFields.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import styles from './Chosen.module.css'
import { MOST_CHOSEN, type Named } from './specs.ts'

type Props = { ways: readonly Named[]; chosen: readonly Named[] }

const WORDS = ['First', 'Second, if any', 'Third, if any', 'Fourth, if any']
const PLACES = Array.from({ length: MOST_CHOSEN }, (_, place) => `w${place + 1}`)

/** Which ways are drawn side by side; the first is the one that the calculation starts from. */
export function Chosen({ ways, chosen }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  // All places are written: what was chosen for the reader stays when one of them changes.
  const choose = (picked: ReadonlyMap<string, string>) =>
    navigate(
      addressWith(
        search,
        Object.fromEntries(PLACES.map((key, at) => [key, picked.get(key) ?? chosen[at]?.id ?? ''])),
      ),
      { replace: true, preventScrollReset: true },
    )
  const form = useTypedEarly(choose)
  return (
    <Card
      title="Drawn side by side"
      sub="The charts draw them; the first is the one that the calculation starts from"
    >
      <Form ref={form} action={pathname} className={styles.form} preventScrollReset data-screen>
        <OtherFields search={search} except={PLACES} />
        {PLACES.map((key, place) => (
          <div key={`${key} ${chosen[place]?.id ?? ''}`} className={styles.field}>
            <label htmlFor={`way-${key}`}>{WORDS[place]}</label>
            <select
              id={`way-${key}`}
              name={key}
              defaultValue={chosen[place]?.id ?? ''}
              onChange={event => choose(new Map([[key, event.target.value]]))}
            >
              {place > 0 && <option value="">none</option>}
              {ways.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        ))}
        <noscript>
          <Button type="submit">Draw</Button>
        </noscript>
      </Form>
    </Card>
  )
}
