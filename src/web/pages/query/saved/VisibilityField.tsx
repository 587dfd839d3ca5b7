import { useEffect, useState } from 'react'
import type { SavedQuery, TeamList } from '#http/contract.ts'
import type { QueryClient } from '../queryClient.ts'

const LABEL = {
  private: 'Private',
  link: 'Anyone with the link',
  public: 'Public, listed for everyone',
} as const
const OF_TEAM = 'team:'

export type Readers = { readonly visibility: SavedQuery['visibility']; readonly team?: string }

/** What a choice of the field means. */
export function readersOf(choice: string): Readers {
  if (choice.startsWith(OF_TEAM)) return { visibility: 'team', team: choice.slice(OF_TEAM.length) }
  return { visibility: choice === 'link' || choice === 'public' ? choice : 'private' }
}

/** The choice that a query has now. */
export const choiceOf = ({ visibility, team }: Pick<SavedQuery, 'visibility' | 'team'>): string =>
  team === null ? visibility : OF_TEAM + team.id

type Props = {
  client: QueryClient
  chosen: string
  /** The team that the query is shared with: a choice before the list of teams has come. */
  team?: SavedQuery['team']
}

/** Who can open a query: the teams of the reader are among the choices. */
export function VisibilityField({ client, chosen, team = null }: Props) {
  const [listed, setListed] = useState<readonly Pick<TeamList['teams'][number], 'id' | 'name'>[]>([])
  const [choice, setChoice] = useState(chosen)
  useEffect(() => {
    client.teams().then(setListed, () => setListed([]))
  }, [client])
  const teams = team === null || listed.some(({ id }) => id === team.id) ? listed : [team, ...listed]
  return (
    <label>
      Who can open it
      <select name="visibility" value={choice} onChange={event => setChoice(event.currentTarget.value)}>
        {Object.entries(LABEL).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {teams.map(({ id, name }) => (
          <option key={id} value={OF_TEAM + id}>
            Team {name}
          </option>
        ))}
      </select>
    </label>
  )
}
