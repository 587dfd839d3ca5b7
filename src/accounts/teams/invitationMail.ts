import type { Mail } from '../mail.ts'

type Facts = {
  readonly to: string
  readonly team: string
  readonly inviter: string
  readonly role: string
  readonly link: string
  readonly site: string
  readonly days: number
}

/** Whether a mail program might make a link of a part of the text. */
export const isLikeAddress = (text: string): boolean => /[/\\@:]|\p{L}[.．。]\p{L}/u.test(text)

/** The mail says the same to everybody: it is written without looking whether the address has an account. */
export function invitationMail({ to, team, inviter, role, link, site, days }: Facts): Mail {
  const who = isLikeAddress(inviter) ? 'A user' : inviter
  return {
    to,
    subject: 'Invitation to a team on Assay',
    text: `Hello,\n\n${who} invites you to the team "${team}" on ${site} as ${role === 'editor' ? 'an editor' : 'a viewer'}. Join here:\n\n${link}\n\nThe link works once, within ${days} days. You join with an account or a wallet of yours. If you do not know the sender, do nothing.`,
  }
}
