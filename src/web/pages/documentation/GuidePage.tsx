import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { Contents } from '../../blocks/Contents.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { dayText } from '../../format/day.ts'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import styles from '../content/ContentPage.module.css'
import { Written } from '../content/Written.tsx'
import { wordsOf } from '../content/wordsOf.ts'
import { pageMeta } from '../pageMeta.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  return {
    page: await answering('This chapter', () => context.get(apiContext).content.guide(params.name ?? ''), {
      pathOf: near => `/documentation/${near}`,
      names: async () =>
        (await context.get(apiContext).content.guides()).items.map(({ name, title }) => [name, title]),
    }),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData
    ? pageMeta({
        title: `${loaderData.page.title}, documentation`,
        description: loaderData.page.summary,
        path: `/documentation/${loaderData.page.name}`,
        publicUrl: loaderData.publicUrl,
      })
    : []

/** A chapter of the documentation. */
export default function GuidePage() {
  const { page } = useLoaderData<typeof loader>()
  const headings = page.blocks.flatMap(block =>
    block.type === 'heading' && block.depth === 2 ? [{ id: block.id, label: wordsOf(block.children) }] : [],
  )
  return (
    <article className={styles.page}>
      <HeadingBlock title={page.title} question={page.summary} />
      {headings.length > 2 && <Contents parts={headings} />}
      <Written blocks={page.blocks} notes={page.notes} />
      <p className={styles.updated}>Last changed on {dayText(page.updated)}.</p>
    </article>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
