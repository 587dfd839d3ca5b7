import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '../../ui/Icon.tsx'
import { askPerson } from '../askPerson.ts'
import { type Ad, type AdEvent, activeAd, adAfter, adAtStart } from '../states/adState.ts'
import { usePeople } from '../usePeople.ts'
import styles from './AdBox.module.css'
import { isReserved, reserveAd } from './adWindow.ts'

/** Over https, or on this site. */
const isLink = (link: string): boolean => /^(https:\/\/|\/(?!\/))/.test(link)

/**
 * The ad that runs now, told of when it is shown, clicked and dismissed. Without one the box goes. Where the box was not reserved at the
 * first paint, it comes with the next page that is opened: what is read must not jump.
 */
export function AdBanner() {
  const { people } = usePeople()
  const [state, setState] = useState(adAtStart)
  const latest = useRef(adAtStart)
  const happen = useCallback(
    (event: AdEvent) => {
      const { state: next, tell } = adAfter(latest.current, event)
      latest.current = next
      setState(next)
      if (next.name !== 'shown') reserveAd(false)
      if (tell === undefined || next.ad === undefined || people === undefined) return
      // That nobody hears of it is no matter of the reader's.
      askPerson(people, '/api/cms/ads/events', {
        method: 'POST',
        body: { id: next.ad._id, event: tell },
        isKept: true,
      }).catch(() => {})
    },
    [people],
  )
  const { pathname } = useLocation()
  const first = useRef(pathname)
  const [ads, setAds] = useState<readonly Ad[]>()
  useEffect(() => {
    if (people === undefined) return
    askPerson(people, '/api/cms/ads').then(
      answer => {
        const found = Array.isArray(answer) ? (answer as Ad[]) : []
        setAds(found)
      },
      () => reserveAd(false),
    )
    // Who has features from now on is shown none.
    return () => happen({ on: 'features' })
  }, [people, happen])
  useEffect(() => {
    if (ads === undefined || !(isReserved() || pathname !== first.current)) return
    if (activeAd(ads, Date.now()) !== undefined && latest.current.name === 'none') reserveAd(true)
    happen({ on: 'loaded', ads, now: Date.now() })
  }, [ads, pathname, happen])
  const { name, ad } = state
  if (name !== 'shown' || ad === undefined) return null
  return (
    <>
      <div className={styles.head}>
        <span>Advertisement</span>
        <button
          type="button"
          className={styles.dismiss}
          aria-label="Dismiss the advertisement"
          onClick={() => happen({ on: 'cancel' })}
        >
          <Icon name="close" />
        </button>
      </div>
      <a
        className={styles.picture}
        href={isLink(ad.link) ? ad.link : undefined}
        target="_blank"
        rel="noopener sponsored"
        onClick={() => happen({ on: 'click' })}
      >
        <img src={ad.image} alt={ad.title} />
      </a>
    </>
  )
}
