import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { dayText } from '../../format/day.ts'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { existingPages, siteWith } from '../../site.ts'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './ContentPage.module.css'
import { Written } from './Written.tsx'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const name = url.pathname.slice(1)
  return {
    page: await answering('This page', () => context.get(apiContext).content.page(name), {
      pathOf: near => `/${near}`,
      names: async () =>
        existingPages(siteWith(context.get(siteContext))).map(({ path, label }) => [path.slice(1), label]),
    }),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData
    ? pageMeta({
        title: loaderData.page.title,
        description: loaderData.page.summary,
        path: `/${loaderData.page.name}`,
        publicUrl: loaderData.publicUrl,
      })
    : []

/** A page of text. */
export default function ContentPage() {
  const { page } = useLoaderData<typeof loader>()
  return (
    <article className={styles.page}>
      <HeadingBlock title={page.title} question={page.summary} />
      <Written blocks={page.blocks} notes={page.notes} />
      <p className={styles.updated}>Last changed on {dayText(page.updated)}.</p>
    </article>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
