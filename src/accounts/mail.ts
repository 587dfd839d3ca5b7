import type { Log } from '#kernel/log.ts'
import type { AccountsConfig } from './config.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }
export type SendMail = (mail: Mail) => Promise<void>

/**
 * Sends mail where a server for it is configured. Else the mail is printed to the server's log, links and all: who runs
 * the server hands them on.
 */
export function createMail(config: AccountsConfig['mail'], log: Log): SendMail {
  if (config === undefined)
    return async ({ to, subject, text }) =>
      log.info(`mail to ${to} (no SMTP_URL is set, so it is printed here): ${subject}\n${text}`)
  const { url, from } = config
  let transport: Promise<{ sendMail(mail: Mail & { from: string }): Promise<unknown> }> | undefined
  return async mail => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(url))
    try {
      await (await transport).sendMail({ from, ...mail })
    } catch (cause) {
      // Who asked for it learns nothing of our mail server, nor whether there is such an account.
      log.error('a mail could not be sent', { cause: cause instanceof Error ? cause.message : String(cause) })
    }
  }
}
