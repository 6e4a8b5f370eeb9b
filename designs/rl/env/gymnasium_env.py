# An environment of Gymnasium for "etch train dqn -env 'python3 gymnasium_env.py'".
import gymnasium, json, sys
env = gymnasium.make("Acrobot-v1")
for line in sys.stdin:
    ask = json.loads(line)
    if "hello" in ask:  # of amounts: "low": list(map(float, env.action_space.low)), "high": …
        answer = {"observation": env.observation_space.shape[0], "actions": int(env.action_space.n)}
    elif "reset" in ask:
        answer = {"obs": env.reset(seed=ask["reset"])[0].tolist()}
    else:
        obs, reward, terminated, truncated, _ = env.step(ask["act"])
        answer = {"obs": obs.tolist(), "reward": float(reward), "terminated": bool(terminated), "truncated": bool(truncated)}
    print(json.dumps(answer), flush=True)
