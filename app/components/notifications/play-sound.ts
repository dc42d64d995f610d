/** Two short tones in Hz, each with its start in seconds. */
const TONES = [
  { frequency: 660, start: 0 },
  { frequency: 880, start: 0.12 },
];
const TONE_SECONDS = 0.18;
const VOLUME = 0.08;

/** Plays a short sound. Browsers mute pages that were never clicked. */
export function playSound(): void {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.connect(context.destination);
  volume.gain.value = VOLUME;
  for (const { frequency, start } of TONES) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + start);
    tone.stop(context.currentTime + start + TONE_SECONDS);
    if (start > 0) tone.onended = () => void context.close();
  }
}
