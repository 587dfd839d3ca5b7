import { z } from 'zod'
import { demandPerson, TEAM_LIMITS, type Teams } from '#accounts/index.ts'
import { type AnyRoute, done, json, route } from '../route.ts'
import {
  invitationOffer,
  invitationRequest,
  invitationToken,
  newInvitation,
  roleRequest,
  team,
  teamId,
  teamInvitationId,
  teamList,
  teamMemberId,
  teamName,
} from './schema.ts'

const NOTHING = { schema: z.null(), isEmpty: true }
const OWN = [401, 403, 429] as const
const { teams: most, members, invitationDays } = TEAM_LIMITS

/** Teams of the caller. Keys have no access: whoever holds one must not change who sees what. */
export const teamRoutes = (teams: Teams): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/teams',
    id: 'listTeams',
    summary: 'Teams of the caller',
    answer: { schema: teamList },
    problems: OWN,
    kept: 'never',
    who: 'person',
    handle: async ({ person }) =>
      json({
        teams: await teams.list(demandPerson(person)),
        limits: { teams: most, members, invitationDays },
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/teams',
    id: 'createTeam',
    summary: 'Creates a team with the caller as its owner',
    body: teamName,
    answer: { schema: team },
    problems: [...OWN, 409, 415],
    kept: 'never',
    who: 'person',
    handle: async ({ person, body: { name } }) => json(await teams.create(demandPerson(person), name)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/teams/invitations',
    id: 'readTeamInvitation',
    summary: 'Team and role that an invitation link offers',
    body: invitationToken,
    answer: { schema: invitationOffer },
    problems: [...OWN, 404, 415],
    kept: 'never',
    isOwn: true,
    handle: async ({ body: { token }, asker }) => json(await teams.offer(token, asker)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/teams/memberships',
    id: 'joinTeam',
    summary: 'Joins a team by an invitation, which works once',
    body: invitationToken,
    answer: { schema: team },
    problems: [...OWN, 404, 409, 415],
    kept: 'never',
    who: 'person',
    handle: async ({ person, body: { token }, asker }) =>
      json(await teams.join(demandPerson(person), token, asker)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/teams/:id',
    id: 'readTeam',
    summary: 'A team of the caller with its members; for owners, with its open invitations',
    params: teamId,
    answer: { schema: team },
    problems: [...OWN, 404],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id } }) => json(await teams.read(demandPerson(person), id)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/teams/:id',
    id: 'renameTeam',
    summary: 'Renames a team',
    params: teamId,
    body: teamName,
    answer: { schema: team },
    problems: [...OWN, 404, 415],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id }, body: { name } }) =>
      json(await teams.rename(demandPerson(person), id, name)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/teams/:id',
    id: 'deleteTeam',
    summary: 'Deletes a team; queries shared with it stay with their owners',
    params: teamId,
    answer: NOTHING,
    problems: [...OWN, 404],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id } }) => {
      await teams.delete(demandPerson(person), id)
      return done()
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/teams/:id/invitations',
    id: 'inviteToTeam',
    summary: 'Invites one user by email or by a link',
    params: teamId,
    body: invitationRequest,
    answer: { schema: newInvitation },
    problems: [...OWN, 404, 409, 415],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id }, body: { role, email }, asker }) =>
      json(await teams.invite(demandPerson(person), id, { role, email, asker })),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/teams/:id/invitations/:invitation',
    id: 'withdrawTeamInvitation',
    summary: 'Withdraws an open invitation',
    params: teamInvitationId,
    answer: NOTHING,
    problems: [...OWN, 404],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id, invitation } }) => {
      await teams.withdraw(demandPerson(person), id, invitation)
      return done()
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/teams/:id/members/:member',
    id: 'changeTeamMember',
    summary: 'Changes the role of a member',
    params: teamMemberId,
    body: roleRequest,
    answer: { schema: team },
    problems: [...OWN, 404, 409, 415],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id, member }, body: { role } }) =>
      json(await teams.setRole(demandPerson(person), id, member, role)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/teams/:id/members/:member',
    id: 'removeTeamMember',
    summary: 'Removes a member; every member can remove themselves',
    params: teamMemberId,
    answer: NOTHING,
    problems: [...OWN, 404, 409],
    kept: 'never',
    who: 'person',
    handle: async ({ person, params: { id, member } }) => {
      await teams.remove(demandPerson(person), id, member)
      return done()
    },
  }),
]
