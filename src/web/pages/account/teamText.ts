import type { Team } from '#http/contract.ts'

export const TEAM_ROLE: Readonly<Record<Team['role'], string>> = {
  owner: 'Owner',
  editor: 'Editor',
  viewer: 'Viewer',
}
