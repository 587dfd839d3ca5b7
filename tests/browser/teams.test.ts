/** Users could not create or join a team, or share, discuss or schedule a query in it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, WIDTHS } from './pageFaults.ts'
import { headOf, look as lookAt, openQueryTool, write } from './queryTool.ts'
import { mailed, setUpMailSite, signUp, site } from './sharedMailSite.ts'

const SQL = 'SELECT 1 AS of_ann'

describe('teams', skipWithoutChromium, () => {
  setUpMailSite()

  const openTool = (page: Page, search = '') => openQueryTool(page, site.url, search)
  const look = (page: Page, name: string) => lookAt(page, name, { isWhole: true })

  test('users create a team, join it from an emailed link, and edit, discuss and schedule a shared query', async () => {
    await using annsPage = await newPage(site.browser)
    await using bobsPage = await newPage(site.browser)
    const [ann, bob] = [annsPage.page, bobsPage.page]
    await signUp(ann, 'ann@teams.example', 'Ann')
    await ann.goto(`${site.url}/account`)
    await ann.getByLabel('Name of the new team').fill('Research')
    await ann.getByLabel('Name of the new team').press('Enter')
    const team = ann.getByRole('region', { name: 'Team Research' })
    await team.getByLabel('Email').fill('bob@teams.example')
    await team.getByRole('button', { name: 'Invite' }).click()
    await team.getByText('An invitation was sent to bob@teams.example.').waitFor()
    await team.getByRole('button', { name: 'Withdraw the invitation for bob@teams.example' }).waitFor()
    await look(ann, 'team')
    assert.deepEqual(await faultsOf(ann), [])
    assert.deepEqual(await overflowsOf(ann, WIDTHS), [])

    const link = await mailed('bob@teams.example', /http\S+\/account#join=[\w-]{43}/)
    await bob.goto(link)
    await bob.getByText('You are invited to a team. Sign in to join it.').waitFor()
    // The secret is neither in the address nor in the history.
    assert.equal(new URL(bob.url()).hash, '')
    await signUp(bob, 'bob@teams.example', 'Bob')
    await bob.goto(`${site.url}/account`)
    await bob.getByText('You are invited to the team Research as an editor.').waitFor()
    await look(bob, 'join')
    await bob.getByRole('button', { name: 'Join as editor' }).click()
    await bob.getByRole('button', { name: 'Leave the team Research' }).waitFor()
    await bob.goto(link)
    await bob.getByText('This invitation was used or withdrawn, or it has expired.').waitFor()

    await openTool(ann)
    await write(ann, SQL)
    await headOf(ann).getByRole('button', { name: 'Save', exact: true }).click()
    const saving = ann.getByRole('dialog', { name: 'Save query' })
    await saving.getByLabel('Name').fill('Shared by Ann')
    await saving.getByLabel('Who can open it').selectOption({ label: 'Team Research' })
    await look(ann, 'save')
    const answer = ann.waitForResponse(
      response => response.request().method() === 'POST' && response.url().endsWith('/api/v1/queries'),
    )
    await saving.getByRole('button', { name: 'Save' }).click()
    const { id } = (await (await answer).json()) as { id: string }
    await headOf(ann).getByRole('button', { name: 'Version 1' }).waitFor()

    // Bob finds it among the queries of the team, changes it and saves; Ann’s next save is refused and compared.
    await openTool(bob, `?id=${id}`)
    await headOf(bob).getByRole('button', { name: 'Version 1' }).waitFor()
    await write(bob, 'SELECT 2 AS of_bob')
    await headOf(bob).getByRole('button', { name: 'Save', exact: true }).click()
    await headOf(bob).getByText('Saved as version 2.').waitFor()
    await write(ann, '-- {{days}} type: Array(Int64)\nSELECT 3 AS of_ann, {{days}} AS days')
    await ann.waitForURL(/[?&]sql=/)
    await headOf(ann).getByRole('button', { name: 'Save', exact: true }).click()
    const versions = ann.getByRole('dialog', { name: 'Versions of Shared by Ann' })
    await versions.getByText('of_bob').first().waitFor()
    assert.match((await versions.getByRole('combobox').textContent()) ?? '', /Version 2, .* by Bob/)
    await versions.getByRole('region', { name: 'Changes in version 2' }).getByText('of_bob').first().waitFor()
    await versions.getByRole('region', { name: 'Your changes' }).getByText('of_ann').first().waitFor()
    await look(ann, 'conflict')
    assert.deepEqual(await faultsOf(ann), [])
    await ann.keyboard.press('Escape')
    await headOf(ann).getByRole('button', { name: 'Save', exact: true }).click()
    await headOf(ann).getByText('Saved as version 3.').waitFor()

    // What Bob writes is text, whatever it says.
    await headOf(bob).getByRole('button', { name: 'Comments' }).click()
    const written = bob.getByRole('dialog', { name: 'Comments on Shared by Ann' })
    await written.getByLabel('Your comment').fill('<b>Why 2?</b> https://example.org')
    await bob.keyboard.press('Tab')
    await bob.keyboard.press('Enter')
    await written.getByText('<b>Why 2?</b> https://example.org').waitFor()
    await bob.keyboard.press('Escape')
    await headOf(ann).getByRole('button', { name: 'Comments' }).click()
    const read = ann.getByRole('dialog', { name: 'Comments on Shared by Ann' })
    await read.getByText('Bob', { exact: true }).waitFor()
    assert.equal(await read.getByRole('link').count(), 0)
    await look(ann, 'comments')
    assert.deepEqual(await faultsOf(ann), [])
    await read.getByRole('button', { name: /^Delete the comment of Bob/ }).click()
    await read.getByText('No comments yet.').waitFor()
    await ann.keyboard.press('Escape')

    await headOf(ann).getByRole('button', { name: 'Schedule' }).click()
    const schedule = ann.getByRole('dialog', { name: 'Schedule of Shared by Ann' })
    await schedule.getByText('Not scheduled.').waitFor()
    await schedule.getByLabel('Runs').selectOption({ label: 'Every week' })
    await schedule.getByLabel('Hour (UTC)').fill('5')
    // Its parameter fields work like those of the editor.
    await schedule.getByRole('button', { name: 'Save schedule' }).click()
    const days = schedule.getByLabel('days', { exact: true })
    assert.ok(await days.evaluate(field => field === document.activeElement && field.ariaInvalid === 'true'))
    await days.fill('1, x')
    await schedule.getByText('x is not a number.').waitFor()
    await days.fill('1, 99999999999999999999')
    await schedule.getByRole('button', { name: 'Save schedule' }).click()
    await schedule.getByText(/^Each part of the parameter `days` must be a whole number/).waitFor()
    await days.fill('1, 2')
    await schedule.getByRole('button', { name: 'Save schedule' }).click()
    const next = schedule.getByRole('region', { name: 'Next runs' }).getByRole('listitem')
    await next.first().waitFor()
    for (const time of await next.allTextContents()) assert.match(time, / 05:\d\d UTC/)
    await look(ann, 'schedule')
    assert.deepEqual(await faultsOf(ann), [])
    assert.deepEqual(await overflowsOf(ann, WIDTHS), [])
    await schedule.getByRole('button', { name: 'Delete schedule' }).click()
    await schedule.getByText('Not scheduled.').waitFor()
  })
})
