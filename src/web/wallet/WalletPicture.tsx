import { useEffect, useState } from 'react'
import { sentenceOf } from '#kernel/errors.ts'
import { profilePicture, walletProfile } from './profile.ts'
import { storedSession } from './session.ts'
import { readHubHosts } from './settings.ts'
import styles from './WalletPicture.module.css'

type Shown = { readonly words: string; readonly pictureUrl?: string }

/** Name and picture that the connected wallet tells of its user, from the hub that keeps its profile; where there is none, why. */
export function WalletPicture() {
  const [shown, setShown] = useState<Shown>({ words: 'Looking for it …' })
  useEffect(() => {
    let isOver = false
    let pictureUrl: string | undefined
    const show = (next: Shown) => {
      if (!isOver) setShown(next)
    }
    const look = async (profileUrl: string) => {
      const hosts = await readHubHosts()
      if (!hosts.includes(URL.parse(profileUrl)?.origin ?? ''))
        return show({ words: 'It is stored on a site that this site does not contact.' })
      const { name, imageUrl } = await walletProfile(profileUrl)
      const words = name ?? 'It has no name.'
      if (imageUrl === null) return show({ words })
      show({ words })
      const blob = await profilePicture(imageUrl, hosts)
      if (isOver) return
      pictureUrl = URL.createObjectURL(blob)
      show({ words, pictureUrl })
    }
    const profileUrl = storedSession()?.userData.profile_url ?? null
    if (profileUrl === null || profileUrl === '') show({ words: 'The wallet reports none.' })
    else
      look(profileUrl).catch(thrown =>
        setShown(({ words }) => ({
          words: /^Looking/.test(words) ? sentenceOf(thrown) : `${words}. Its picture: ${sentenceOf(thrown)}`,
        })),
      )
    return () => {
      isOver = true
      if (pictureUrl !== undefined) URL.revokeObjectURL(pictureUrl)
    }
  }, [])
  return (
    <span className={styles.profile} role="status">
      {shown.pictureUrl !== undefined && (
        <img className={styles.picture} src={shown.pictureUrl} alt="" width={48} height={48} />
      )}
      {shown.words}
    </span>
  )
}
