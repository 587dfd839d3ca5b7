import { otherTheme } from '../people/states/themeState.ts'
import { iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Tip } from '../ui/Tip.tsx'
import styles from './ThemeToggle.module.css'
import { currentTheme, setTheme } from './theme.ts'

/** CSS shows the picture that fits, so that server and browser draw the same. */
export function ThemeToggle() {
  const handleClick = () => setTheme(otherTheme(currentTheme()))
  return (
    <Tip text="Light or dark" side="below">
      <button
        type="button"
        className={iconClass}
        aria-label="Switch between light and dark"
        onClick={handleClick}
        data-needs-script
      >
        <span className={styles.toDark}>
          <Icon name="moon" />
        </span>
        <span className={styles.toLight}>
          <Icon name="sun" />
        </span>
      </button>
    </Tip>
  )
}
