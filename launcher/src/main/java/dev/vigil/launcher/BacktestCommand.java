package dev.vigil.launcher;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "backtest", mixinStandardHelpOptions = true)
final class BacktestCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new CommandFailure("wired when the backtest module lands");
    }
}
