import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { until } from '#kernel/until.testing.ts'
import { makeAccount, welcome } from './accounts.ts'
import { openChromium } from './chromium.ts'
import { openTestSite, type TestSite } from './testSite.ts'

export const OPERATOR = 'mia@example.org'

type Received = { readonly to: readonly string[]; readonly text: string }

/** A site that sends mail, where confirmed users have Premium for a while. */
export let site: TestSite & { readonly browser: Browser }
const received: Received[] = []
let mailServer: SMTPServer | undefined
let ready: Promise<void> | undefined

async function openOnce(): Promise<void> {
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      let source = ''
      stream.setEncoding('utf8').on('data', part => {
        source += part
      })
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text: plainOf(source) })
        done()
      })
    },
  })
  const listening = mailServer.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Assay <assay@example.org>',
    ASSAY_OPERATORS: OPERATOR,
    TRIAL_DAYS: '30',
  }
  const [opened, browser] = await Promise.all([openTestSite({ command: 'serve', env }), openChromium()])
  site = { ...opened, browser }
}

after(async () => {
  await site?.browser.close()
  await site?.[Symbol.asyncDispose]()
  await new Promise<void>(resolve => (mailServer ? mailServer.close(() => resolve()) : resolve()))
})

/** Opens the site and its mail server, once in a process. */
export function setUpMailSite(): void {
  before(() => {
    ready ??= openOnce()
    return ready
  })
}

/** The first match in the newest mail to an address that has one. */
export const mailed = (to: string, pattern: RegExp): Promise<string> =>
  until(`a mail to ${to} with ${pattern}`, () => {
    for (const mail of received.toReversed()) {
      const [found] = (mail.to.includes(to) && pattern.exec(mail.text)) || []
      if (found !== undefined) return found
    }
    return undefined
  })

/** Makes an account in this browser and confirms its email, so that its trial of Premium begins. */
export async function signUp(page: Page, email: string, name: string): Promise<void> {
  await page.goto(`${site.url}/About`)
  await makeAccount(page, email, name)
  await welcome(page, name)
  await page.goto(await mailed(email, /http\S+\/idp\/u\/confirm\/[\w-]{43}/))
  await page.getByRole('button').click()
  await page.getByText('Your email is confirmed').first().waitFor()
}

/** The text of a mail, its lines whole again. Source: RFC 2045, 6.7. */
const plainOf = (source: string): string => source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
