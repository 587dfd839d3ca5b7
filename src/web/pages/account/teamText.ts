import type { Team } from '#http/contract.ts'

export const TEAM_ROLE: Readonly<Record<Team['role'], string>> = {
  owner: 'Owner',
  editor: 'Editor',
  viewer: 'Viewer',
}

/** Where an invitation waits while its holder signs in: the address alone would lose it on the way. */
const INVITATION_KEY = 'team-invitation'

/** Moves the secret of an invitation from the address to this tab, so that it is in no history and no copied address. */
export function takeInvitation(): void {
  const token = /^#join=([\w-]{1,200})$/.exec(window.location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(INVITATION_KEY, token)
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
}

export const waitingInvitation = (): string | undefined => sessionStorage.getItem(INVITATION_KEY) ?? undefined

export const forgetInvitation = (): void => sessionStorage.removeItem(INVITATION_KEY)
