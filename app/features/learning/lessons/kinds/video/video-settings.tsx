import { type RefObject, useId } from 'react'
import { Button } from '~/ui/button'
import { captionSizes, type LessonSettings } from '../../lesson-settings'
import type { Video } from './use-video'
import { videoKeys } from './video-keys'

const captionSizeNames: Record<LessonSettings['captionSize'], string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  huge: 'Extra large',
}

type VideoSettingsProps = { dialog: RefObject<HTMLDialogElement | null>; video: Video }

/** The dialog with the settings for all videos and the keyboard shortcuts. */
export function VideoSettings({ dialog, video: { settings, changeSettings } }: VideoSettingsProps) {
  const id = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card border border-line bg-surface p-6 text-ink shadow-raised backdrop:bg-black/60"
    >
      <h2 id={id} className="text-xl font-bold">
        Video settings
      </h2>
      <fieldset className="mt-4">
        <legend className="font-semibold">Caption size</legend>
        {captionSizes.map((size) => (
          <label key={size} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={`${id}-size`}
              checked={settings.captionSize === size}
              onChange={() => changeSettings({ captionSize: size, captions: true })}
              className="size-5 shrink-0 accent-accent"
            />
            {captionSizeNames[size]}
          </label>
        ))}
      </fieldset>
      <SettingCheckbox checked={settings.goesOn} onChange={(goesOn) => changeSettings({ goesOn })}>
        Autoplay: the next lesson starts after a countdown
      </SettingCheckbox>
      <SettingCheckbox
        checked={settings.pageKeys}
        onChange={(pageKeys) => changeSettings({ pageKeys })}
      >
        Shortcuts work anywhere on the page, not just in the player
      </SettingCheckbox>
      <details className="border-line border-t pt-1">
        <summary className="min-h-11 content-center font-semibold">Keyboard shortcuts</summary>
        <ShortcutList />
      </details>
      <form method="dialog" className="mt-4 text-right">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  )
}

type SettingCheckboxProps = { checked: boolean; onChange(checked: boolean): void; children: string }

function SettingCheckbox({ checked, onChange, children }: SettingCheckboxProps) {
  return (
    <label className="flex min-h-14 items-center gap-3 border-line border-t">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-accent"
      />
      <span>{children}</span>
    </label>
  )
}

function ShortcutList() {
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
      {videoKeys.map(({ keys, command, meaning }) => (
        <div key={command} className="col-span-2 grid grid-cols-subgrid">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-8 rounded-lg border border-edge bg-sunken px-2 text-center font-sans text-sm font-semibold"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
