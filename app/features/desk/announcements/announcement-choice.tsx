import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { choiceTexts } from './announcement-messages'

type Props = SaveFormProps & {
  wanted: boolean
  /** Whether the learner has confirmed their address. */
  isConfirmed: boolean
}

/** Lets learners choose whether they get announcements. */
export function AnnouncementChoice({ wanted, isConfirmed, ...form }: Props) {
  return (
    <SaveForm
      action="/Profile/settings?form=announcements#email"
      button="Save announcements"
      savedText={wanted ? choiceTexts.on : choiceTexts.off}
      className="grid gap-4"
      {...form}
    >
      <label className="flex min-h-11 items-center gap-3">
        <input
          key={String(wanted)}
          type="checkbox"
          name="announcements"
          defaultChecked={wanted}
          aria-describedby="announcements-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {choiceTexts.label}
      </label>
      <p id="announcements-hint" className="text-muted text-sm">
        {isConfirmed ? choiceTexts.hint : choiceTexts.needsAddress}
      </p>
    </SaveForm>
  )
}
