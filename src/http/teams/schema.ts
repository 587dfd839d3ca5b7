import { z } from 'zod'
import { INVITED_ROLES, TEAM_LIMITS, TEAM_ROLES } from '#accounts/index.ts'
import { isoTime } from '../schemas/common.ts'

/** Schemas of teams: members, roles, invitations. */

const teamRole = z.enum(TEAM_ROLES)
const invitedRole = z.enum(INVITED_ROLES)

const summary = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  role: teamRole.describe('role of the caller'),
  members: z.int(),
  createdAt: isoTime,
})
export const teamList = z
  .strictObject({
    teams: z.array(summary),
    limits: z.strictObject({
      teams: z.int().describe('teams that one user can be a member of'),
      members: z.int().describe('members and open invitations of one team'),
      invitationDays: z.int(),
    }),
  })
  .meta({ id: 'TeamList' })

const invitation = z.strictObject({
  id: z.uuid(),
  role: invitedRole,
  email: z.string().nullable().describe('null for a link that the inviter hands over'),
  createdAt: isoTime,
  expiresAt: isoTime,
})
export const team = summary
  .extend({
    people: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        role: teamRole,
        isSelf: z.boolean(),
        joinedAt: isoTime,
      }),
    ),
    invitations: z.array(invitation).describe('empty unless the caller is an owner'),
  })
  .meta({ id: 'Team' })

export const teamId = z.strictObject({ id: z.uuid() })
export const teamMemberId = z.strictObject({ id: z.uuid(), member: z.uuid() })
export const teamInvitationId = z.strictObject({ id: z.uuid(), invitation: z.uuid() })

export const teamName = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(TEAM_LIMITS.name * 4)
    .describe(`longer names are cut to ${TEAM_LIMITS.name} characters`),
})
export const invitationRequest = z.strictObject({
  role: invitedRole,
  email: z
    .string()
    .max(300)
    .exactOptional()
    .describe('where the invitation is mailed to; without it, the answer has a link'),
})
export const newInvitation = invitation
  .extend({
    link: z
      .string()
      .nullable()
      .describe('the link that one user can join by, shown only in this answer; null if it was mailed'),
  })
  .meta({ id: 'TeamInvitation' })
export const roleRequest = z.strictObject({ role: teamRole })
export const invitationToken = z.strictObject({
  token: z.string().min(1).max(200).describe('what follows `#join=` in the link'),
})
export const invitationOffer = z
  .strictObject({ team: z.string(), role: invitedRole, expiresAt: isoTime })
  .meta({ id: 'TeamInvitationOffer' })
